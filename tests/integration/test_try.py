import pytest
from tests.integration.test_audit import *
from tests.integration.test_audit_awards import played as aw, move_at_random, people, POLICIES as AP
from tables.services import verify
import random
@pytest.mark.parametrize("label", AP)
def test_x(label):
    aw(**AP[label]); move_at_random(random.Random(label), people())
    v = verify.verify()
    assert v.findings.differences == []
@pytest.mark.parametrize("policy", [{}, {"verify_from":"20000.00"}, {"levels": [{"code": "main", "base": "10000.00", "increment_ppm": 200_000, "limit": "10000.80"}]},{"void_contributions":"reverse"}])
def test_x_y(policy):
    house = a_house(**policy)
    played = bodies(house, ROUNDS)
    played[4]["void"] = {"reason": "malfunction", "note": ""}
    played[5]["boxes"][0]["void"] = "wrong_bet"
    play(house, played, limit=7)
    v = verify.verify()
    assert v.findings.differences == []
    print(v)

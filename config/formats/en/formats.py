"""Days and instants as the console's own pages have them: the year first, an instant with its zone, by 24 hours."""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i:s e"

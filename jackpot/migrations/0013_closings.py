"""Closed gaming days with their guards, and signatures of variances (`sql/closings.sql`, `sql/reading_signatures.sql`)."""

from pathlib import Path

import django.db.models.deletion
import django.db.models.expressions
import jackpot.models.fields
from django.conf import settings
from django.db import migrations, models

_SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0012_policies'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='reading',
            options={'permissions': [('enter_reading', 'Can enter a reading'), ('sign_reading', 'Can sign a variance')]},
        ),
        migrations.CreateModel(
            name='Closing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('closed_at', models.DateTimeField()),
                ('pots', models.PositiveIntegerField()),
                ('accounts', models.PositiveIntegerField()),
                ('unpaid', models.PositiveIntegerField()),
                ('rounds', models.JSONField(default=list)),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='closing', to='jackpot.entry')),
                ('gaming_day', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='closings', to='jackpot.gamingday')),
                ('previous', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='next', to='jackpot.closing')),
            ],
            options={
                'permissions': [('close_day', 'Can close a gaming day')],
            },
        ),
        migrations.CreateModel(
            name='AccountClosing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('opening', jackpot.models.fields.Total()),
                ('debits', jackpot.models.fields.Total()),
                ('credits', jackpot.models.fields.Total()),
                ('closing', jackpot.models.fields.Total()),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.account')),
                ('closing_of', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='account_lines', to='jackpot.closing')),
            ],
        ),
        migrations.CreateModel(
            name='PotClosing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pot', models.CharField(max_length=8)),
                ('opening', jackpot.models.fields.Total()),
                ('contribution', jackpot.models.fields.Total()),
                ('award', jackpot.models.fields.Total()),
                ('award_returned', jackpot.models.fields.Total()),
                ('reset', jackpot.models.fields.Total()),
                ('restore', jackpot.models.fields.Total()),
                ('overflow_in', jackpot.models.fields.Total()),
                ('void', jackpot.models.fields.Total()),
                ('adjustment', jackpot.models.fields.Total()),
                ('transfer_in', jackpot.models.fields.Total()),
                ('transfer_out', jackpot.models.fields.Total()),
                ('correction', jackpot.models.fields.Total()),
                ('closing', jackpot.models.fields.Total()),
                ('seq', models.BigIntegerField()),
                ('posted_at', models.DateTimeField(null=True)),
                ('closing_of', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='pot_lines', to='jackpot.closing')),
                ('level', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.level')),
            ],
        ),
        migrations.CreateModel(
            name='ReadingSignature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='1 or 2')),
                ('signed_at', models.DateTimeField()),
                ('variance', jackpot.models.fields.Units()),
                ('note', models.CharField(blank=True, max_length=200)),
                ('reading', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='jackpot.reading')),
                ('signed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['reading', 'number'],
            },
        ),
        migrations.CreateModel(
            name='UnpaidAward',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', jackpot.models.fields.Units()),
                ('owed_day', models.DateField()),
                ('award', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.award')),
                ('closing_of', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='unpaid_lines', to='jackpot.closing')),
            ],
        ),
        migrations.AddConstraint(
            model_name='closing',
            constraint=models.UniqueConstraint(fields=('gaming_day',), name='closing_once'),
        ),
        migrations.AddConstraint(
            model_name='accountclosing',
            constraint=models.UniqueConstraint(fields=('closing_of', 'account'), name='account_closing_once'),
        ),
        migrations.AddConstraint(
            model_name='accountclosing',
            constraint=models.CheckConstraint(condition=models.Q(('closing', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('opening'), '+', models.F('debits')), '-', models.F('credits')))), name='account_closing_foots'),
        ),
        migrations.AddIndex(
            model_name='potclosing',
            index=models.Index(fields=['level', 'pot', 'posted_at'], name='pot_closing_by_time'),
        ),
        migrations.AddConstraint(
            model_name='potclosing',
            constraint=models.UniqueConstraint(fields=('closing_of', 'level', 'pot'), name='pot_closing_once'),
        ),
        migrations.AddConstraint(
            model_name='potclosing',
            constraint=models.CheckConstraint(condition=models.Q(('closing', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('opening'), '+', models.F('contribution')), '+', models.F('award')), '+', models.F('award_returned')), '+', models.F('reset')), '+', models.F('restore')), '+', models.F('overflow_in')), '+', models.F('void')), '+', models.F('adjustment')), '+', models.F('transfer_in')), '+', models.F('transfer_out')), '+', models.F('correction')))), name='pot_closing_foots'),
        ),
        migrations.AddConstraint(
            model_name='readingsignature',
            constraint=models.UniqueConstraint(fields=('reading', 'number'), name='reading_signed_once'),
        ),
        migrations.AddConstraint(
            model_name='readingsignature',
            constraint=models.UniqueConstraint(fields=('reading', 'signed_by'), name='reading_second_person'),
        ),
        migrations.AddConstraint(
            model_name='readingsignature',
            constraint=models.CheckConstraint(condition=models.Q(('number__in', (1, 2))), name='reading_signed_by_two'),
        ),
        migrations.AddConstraint(
            model_name='unpaidaward',
            constraint=models.UniqueConstraint(fields=('closing_of', 'award'), name='unpaid_award_once'),
        ),
        migrations.RunSQL((_SQL / "closings.sql").read_text(encoding="utf-8")),
        migrations.RunSQL((_SQL / "reading_signatures.sql").read_text(encoding="utf-8")),
    ]

"""Endpoints that are told of events, their secrets, and the deliveries to them."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('jackpot', '0006_stream'),
    ]

    operations = [
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('types', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, help_text='empty: all', size=None)),
                ('state', models.CharField(choices=[('active', 'Active'), ('disabled', 'Disabled')], default='active', max_length=10)),
                ('why', models.CharField(blank=True, help_text='why it is disabled', max_length=200)),
                ('created_at', models.DateTimeField()),
                ('read_to', models.BigIntegerField()),
                ('failures', models.PositiveIntegerField(default=0)),
                ('answered_at', models.DateTimeField(blank=True, help_text='when it last took an event', null=True)),
                ('paused_to', models.DateTimeField()),
                ('integrator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='endpoints', to='jackpot.integrator')),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('seq', models.BigIntegerField()),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('delivered', 'Delivered'), ('parked', 'Parked')], default='pending', max_length=9)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('due_at', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('leased_to', models.DateTimeField(blank=True, null=True)),
                ('failed_since', models.DateTimeField(blank=True, null=True)),
                ('delivered_at', models.DateTimeField(blank=True, null=True)),
                ('status', models.PositiveSmallIntegerField(blank=True, help_text='HTTP status of the last answer', null=True)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('event', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='jackpot.event')),
                ('jackpot', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpot.jackpot')),
                ('endpoint', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='jackpot.endpoint')),
            ],
            options={
                'verbose_name_plural': 'deliveries',
            },
        ),
        migrations.CreateModel(
            name='Secret',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('current', 'Current'), ('previous', 'Previous')], max_length=8)),
                ('salt', models.BinaryField()),
                ('ends_at', models.DateTimeField(help_text='until when the previous one signs too', null=True)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='secrets', to='jackpot.endpoint')),
            ],
        ),
        migrations.AddConstraint(
            model_name='endpoint',
            constraint=models.UniqueConstraint(fields=('integrator', 'url'), name='endpoint_once'),
        ),
        migrations.AddConstraint(
            model_name='endpoint',
            constraint=models.CheckConstraint(condition=models.Q(('types__contained_by', ['round.settled', 'round.voided', 'round.failed', 'round.corrected', 'round.suspended', 'round.resumed', 'jackpot.hit', 'jackpot.reset', 'envy.awarded', 'award.approved', 'award.disputed', 'award.paid', 'award.rejected', 'day.closed'])), name='endpoint_types_known'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'delivered'), _negated=True), fields=['endpoint', 'state', 'seq'], name='delivery_not_delivered'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(fields=('endpoint', 'event'), name='delivery_once'),
        ),
        migrations.AddConstraint(
            model_name='secret',
            constraint=models.UniqueConstraint(fields=('endpoint', 'kind'), name='secret_once'),
        ),
        migrations.AddConstraint(
            model_name='secret',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ends_at', None), ('kind', 'current')), models.Q(('ends_at__isnull', False), ('kind', 'previous')), _connector='OR'), name='secret_previous_ends'),
        ),
    ]

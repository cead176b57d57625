"""Django settings. Everything that differs between deployments comes from `config.env`."""

from datetime import timedelta
from pathlib import Path

from config import console, env

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = env.SECRET_KEY
DEBUG = env.DEBUG
ALLOWED_HOSTS = env.ALLOWED_HOSTS
CSRF_TRUSTED_ORIGINS = env.CSRF_TRUSTED_ORIGINS

# Each committed link's head goes to standard error, whatever else is logged: to be shipped off this machine.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(name)s %(levelname)s %(message)s"}},
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "jackpot.chain": {"level": "INFO", "handlers": ["lines"], "propagate": False},
        # Who failed to sign in, from where, and who was locked out.
        "axes": {"level": "WARNING", "handlers": ["lines"], "propagate": False},
    },
}

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "jackpot",
    "tables",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "jackpot.http.console_headers.ConsoleHeaders",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "jackpot.http.staff_sessions.StaffSessions",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# The service knows only itself; `migrate` alone works as the owner.
DATABASES = {"default": env.database()}
DATABASE_ROLE = env.application_role()
if DATABASE_ROLE:
    DATABASES["owner"] = env.owner_database()
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# It takes a default that is the present time, within ten seconds, for a mistake: at six, when a gaming day begins.
SILENCED_SYSTEM_CHECKS = ["fields.W161"]

AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
LOGIN_URL = LOGIN_REDIRECT_URL = "/admin/"
STAFF_TWO_FACTOR = env.STAFF_TWO_FACTOR
# A link with which somebody sets his own password is good for a day, and once.
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60

# Five wrong passwords for one name from one address wait a quarter of an hour; nobody else there waits with them.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "jackpot.http.addresses.address_of"
AXES_LOCKOUT_CALLABLE = "jackpot.admin.signing_in.locked_out"
AXES_SENSITIVE_PARAMETERS: list[str] = []
AXES_ENABLE_ADMIN = False

PROXIES = env.PROXIES
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.HTTPS_ONLY
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if env.HTTPS_ONLY else 0
SESSION_COOKIE_AGE = env.STAFF_IDLE_MINUTES * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "static/"
STATIC_ROOT = env.data_folder("static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

# The whole of a `POST /rounds/` body; the parser refuses the smaller limit of the other calls itself.
DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024
APPEND_SLASH = False

WEBHOOK_PRIVATE_ADDRESSES = env.WEBHOOK_PRIVATE_ADDRESSES

UNFOLD = console.UNFOLD

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "config.description.Inspector",
    "EXCEPTION_HANDLER": "jackpot.http.problems.handler",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}

# How often a key, a member of staff, and an address that fails to authenticate may call a second.
THROTTLES = {"key": env.THROTTLE_KEY, "staff": env.THROTTLE_STAFF, "failed": env.THROTTLE_FAILED}
TALLY_SERVER = "config.tallies.server"
TALLY_PREFIX = env.QUEUE

SPECTACULAR_SETTINGS = {
    "TITLE": "Jackpot",
    "DESCRIPTION": "Books of a table-game progressive jackpot: rounds in, settled by workers, every cent kept.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["config.description.complete"],
}

CELERY_BROKER_URL = env.broker_url()
CELERY_TASK_DEFAULT_QUEUE = env.QUEUE
CELERY_TASK_ROUTES = {"jackpot.send": {"queue": env.WEBHOOK_QUEUE}}
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TIMEZONE = "UTC"
# A message is acknowledged after the work, and given out again if its worker was killed.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_TIME_LIMIT = 270
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULER = "config.presence:Clock"
CELERY_BEAT_MAX_LOOP_INTERVAL = 5
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tables.sweep", "schedule": 2.0, "options": {"expires": 10}},
    "dispatch": {"task": "jackpot.dispatch", "schedule": 2.0, "options": {"expires": 10}},
}
# Publishing to a broker that is away fails within seconds; the sweep finds what the message would have said.
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2, "interval_max": 0.2}
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object]
if CELERY_BROKER_URL.startswith("amqp"):
    CELERY_TASK_DEFAULT_QUEUE_TYPE = "quorum"
    CELERY_TASK_DEFAULT_EXCHANGE_TYPE = "topic"
    CELERY_TASK_CREATE_MISSING_QUEUE_TYPE = "quorum"
    CELERY_TASK_CREATE_MISSING_QUEUE_EXCHANGE_TYPE = "topic"
    CELERY_BROKER_TRANSPORT_OPTIONS = {"confirm_publish": True}
else:
    # Redis gives a killed worker's message out again at the next restore after the visibility timeout,
    # which must exceed the longest task.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 300,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
    }

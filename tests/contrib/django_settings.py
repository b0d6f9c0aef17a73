"""Settings of a Django project that has nothing but what these tests need."""

USE_TZ = True
INSTALLED_APPS = ["django_tasks"]
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "set by each test"}}
TASKS = {"default": {"BACKEND": "mainspring.contrib.django.MainspringBackend", "QUEUES": ["default", "mail"]}}

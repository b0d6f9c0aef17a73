"""What a user writes against: an app with its jobs."""

from mainspring.app.app import App
from mainspring.app.job_class import Job
from mainspring.app.job_handle import FunctionJob, JobHandle
from mainspring.app.middleware import Middleware
from mainspring.app.options import JobOptions
from mainspring.app.triggers import Trigger, TriggerOptions

__all__ = ["App", "FunctionJob", "Job", "JobHandle", "JobOptions", "Middleware", "Trigger", "TriggerOptions"]

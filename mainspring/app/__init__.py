"""An app with its jobs: the API that users write against."""

from mainspring.app.app import App
from mainspring.app.job_class import Job
from mainspring.app.job_handle import FunctionJob, JobHandle
from mainspring.app.middleware import Middleware
from mainspring.app.options import JobOptions, WorkflowOptions
from mainspring.app.triggers import Trigger, TriggerOptions

__all__ = [
    "App",
    "FunctionJob",
    "Job",
    "JobHandle",
    "JobOptions",
    "Middleware",
    "Trigger",
    "TriggerOptions",
    "WorkflowOptions",
]

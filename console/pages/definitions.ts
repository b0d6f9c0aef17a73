// The pages of jobs, workflows and the audit log, as one part.
export { Audit } from "./audit.tsx";
export { Batch, Batches } from "./workflows/batches.tsx";
export { Job } from "./jobs/job.tsx";
export { Jobs } from "./jobs/list.tsx";
export { Workflow } from "./workflows/workflow.tsx";
export { Workflows } from "./workflows/list.tsx";

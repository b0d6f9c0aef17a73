// The pages of queues, executors and failures, and what removes that runs wait for them, as one part.
export { Executor } from "./executors/executor.tsx";
export { Executors } from "./executors/list.tsx";
export { Failure } from "./failures/group.tsx";
export { Failures } from "./failures/list.tsx";
export { Queue } from "./queues/queue.tsx";
export { Queues } from "./queues/list.tsx";
export { Removes } from "./runs/removes.tsx";

// The pages of the cluster and of those who rule it, as one part.
export { Admin } from "./admin.tsx";
export { Cluster } from "./cluster/cluster.tsx";

/** Whether EKS can do its work in the cluster: its rights there may be gone, or the way to it. */
export type EksClusterAccess = 'granted' | 'denied' | 'unreachable';

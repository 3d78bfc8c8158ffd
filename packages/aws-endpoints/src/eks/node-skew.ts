/**
 * How far managed nodes may lag behind when the control plane takes its next minor: not at all, or as far as
 * Kubernetes lets a kubelet. EKS's texts say both.
 */
export type NodeSkew = 'strict' | 'kubernetes';

export type SchedulingChoice =
  | { readonly kind: 'node'; readonly name: string }
  /** `message` as kube-scheduler writes it into the pod's condition. */
  | { readonly kind: 'unschedulable'; readonly message: string };

export type ConvertFlags = {
  readonly filename: readonly string[];
  readonly kubernetesVersion?: string;
  readonly clusterName?: string;
};

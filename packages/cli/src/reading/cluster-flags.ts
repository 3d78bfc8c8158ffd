const optionalClusterFlag = (brief: string) =>
  ({ kind: 'parsed', parse: (text: string) => text, optional: true, brief }) as const;

/** Which cluster and account a command looks at. */
export type ClusterFlags = { readonly kubeconfig?: string; readonly context?: string; readonly clock?: string };

export const clusterFlags = {
  kubeconfig: optionalClusterFlag('Kubeconfig file [KUBECONFIG, then the service account of the pod]'),
  context: optionalClusterFlag('Context of the kubeconfig [the current one]'),
  clock: optionalClusterFlag(
    'Time of a sandbox: the URL in NODEWRIGHT_SANDBOX, with the token in NODEWRIGHT_SANDBOX_TOKEN_FILE [that variable, else real time]',
  ),
} as const;

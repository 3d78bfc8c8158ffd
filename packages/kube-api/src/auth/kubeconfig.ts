import { stringify } from 'yaml';

export type KubeconfigOptions = {
  /** The name of the cluster, the user and the context. */
  readonly name: string;
  /** `https://127.0.0.1:6443`. */
  readonly server: string;
  /** The authority's certificate, PEM. */
  readonly ca: string;
  /** Client certificate and key, PEM. */
  readonly client: { readonly cert: string; readonly key: string };
};

const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** The text of a kubeconfig that reaches the cluster with a client certificate. */
export const kubeconfigText = ({ name, server, ca, client }: KubeconfigOptions): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority-data': encodeBase64(ca) } }],
    users: [
      {
        name,
        user: { 'client-certificate-data': encodeBase64(client.cert), 'client-key-data': encodeBase64(client.key) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });

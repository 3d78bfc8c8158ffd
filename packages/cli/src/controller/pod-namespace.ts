import { existsSync, readFileSync } from 'node:fs';

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** The namespace of this pod, else that of the kubeconfig's context, else `kube-system`. */
export const controllerNamespace = (ofContext: string | undefined): string =>
  (existsSync(namespaceFile) ? readFileSync(namespaceFile, 'utf8').trim() : '') || ofContext || 'kube-system';

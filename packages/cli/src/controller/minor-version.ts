import type { KubernetesClient } from '@nodewright/runtime';

/** What the API server says that it is: `1.29`. EKS writes `29+`. */
export async function minorVersion(client: KubernetesClient): Promise<string> {
  const { major, minor } = await client.version();
  return `${major}.${minor.replace(/\D.*$/, '')}`;
}

import type { ClusterPlace } from '@nodewright/aws-endpoints';

/** Where the API server of a cluster beside the first one is, on the same port: `/clusters/111122223333/us-east-1/second`. */
export const writeClusterPath = ({ account: { id, region }, name }: ClusterPlace): string =>
  `/clusters/${id}/${region}/${name}`;

/** @returns the path of the cluster and the rest, or `undefined` for a path of the first cluster */
export function readClusterPath(path: string): { readonly cluster: string; readonly rest: string } | undefined {
  const [, cluster, rest = ''] = /^(\/clusters\/[^/?]+\/[^/?]+\/[^/?]+)(.*)$/.exec(path) ?? [];
  if (cluster === undefined) return undefined;
  return { cluster, rest: rest.startsWith('/') ? rest : `/${rest}` };
}

import type { ApiObject } from '../storage/api-object.ts';

/** The kubelets of a cluster, as those who ask them through the API server see them. */
export type KubeletPages = {
  /**
   * What the kubelet of a node answers to a GET.
   * @param path without the slash at the beginning
   * @param pods those on the node
   * @returns `undefined` for a path that it does not have
   */
  readonly read: (node: ApiObject, path: string, pods: readonly ApiObject[]) => KubeletAnswer | undefined;
};

export type KubeletAnswer = { readonly contentType: string; readonly text: string };

/** A subresource speaks its parent's kind or one of its own, such as `autoscaling/v1` `Scale`. */
export type ServedSubresource = {
  readonly name: string;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
};

/** One kind at one version, as discovery describes it. */
export type ServedKind = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly ServedSubresource[];
};

/** `v1` or `apps/v1`. */
export const groupVersion = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;

/** `pods` or `deployments.apps`: how messages name a resource, and where its objects are stored. */
export const groupResource = ({ group, plural }: { readonly group: string; readonly plural: string }): string =>
  group === '' ? plural : `${plural}.${group}`;

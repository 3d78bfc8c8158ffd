/** A subresource. Its kind is that of its parent or its own, such as `autoscaling/v1` `Scale`. */
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

/** The name of a resource in messages and of its collection: `pods` or `deployments.apps`. */
export const groupResource = ({ group, plural }: { readonly group: string; readonly plural: string }): string =>
  group === '' ? plural : `${plural}.${group}`;

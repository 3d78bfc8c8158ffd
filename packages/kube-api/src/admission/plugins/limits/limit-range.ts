import type { ResourceList } from '@nodewright/apis';
import type { ApiObject } from '../../../storage/api-object.ts';
import type { AdmissionView } from '../../attributes.ts';

/** One entry of a LimitRange. */
export type LimitItem = {
  readonly type: string;
  readonly max?: ResourceList;
  readonly min?: ResourceList;
  readonly default?: ResourceList;
  readonly defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
};

export type ResourceAmounts = { readonly limits?: ResourceList; readonly requests?: ResourceList };

export type LimitedContainer = { readonly name?: string; readonly resources?: ResourceAmounts };

export type LimitedSpec = {
  readonly containers?: readonly LimitedContainer[];
  readonly initContainers?: readonly (LimitedContainer & { readonly restartPolicy?: string })[];
};

/** The entries of all LimitRanges of a namespace. */
export const limitItemsIn = ({ store }: AdmissionView, namespace: string): readonly LimitItem[] =>
  store
    .collection('limitranges')
    .list(namespace)
    .flatMap((range) => (range as ApiObject & { readonly spec?: { limits?: LimitItem[] } }).spec?.limits ?? []);

import { labelSelectorPredicate } from '@nodewright/apis';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';
import type { PolicyBinding, PolicySpec } from './policy-objects.ts';

/** The parameters of a binding: a policy is evaluated once for each of them. */
export type FoundParams =
  | { readonly kind: 'found'; readonly params: readonly (ApiObject | undefined)[] }
  | { readonly kind: 'error'; readonly error: string };

/** Finds the parameters that a binding names. A policy without a kind of parameters is evaluated once without any. */
export function findParams(
  { paramKind }: PolicySpec,
  { spec: { paramRef } }: PolicyBinding,
  { namespace }: AdmissionAttributes,
  { store, registry }: AdmissionView,
): FoundParams {
  if (paramKind === undefined || paramRef === undefined) return { kind: 'found', params: [undefined] };
  const resource = registry.findKind(paramKind.apiVersion, paramKind.kind);
  if (resource === undefined) {
    const error = `failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`;
    return { kind: 'error', error };
  }
  const place = resource.namespaced ? (paramRef.namespace ?? namespace) : '';
  if (resource.namespaced && place === '') {
    return {
      kind: 'error',
      error: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    };
  }
  const all = store.collection(resource.collection);
  const { name, selector } = paramRef;
  const one = name === undefined ? undefined : all.get({ namespace: place, name });
  const selected =
    selector === undefined
      ? []
      : all.list(place).filter((each) => labelSelectorPredicate(selector)(each.metadata.labels));
  const params = [...(one === undefined ? [] : [one]), ...selected].map((each) => resource.fromStored(each));
  if (params.length > 0) return { kind: 'found', params };
  if (paramRef.parameterNotFoundAction === 'Allow') return { kind: 'found', params: [] };
  return { kind: 'error', error: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
}

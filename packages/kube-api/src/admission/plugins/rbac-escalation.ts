import { isAccessAllowed } from '../../auth/authorize.ts';
import { type PolicyRule, rbacGroup, rulesFor, rulesOfReference } from '../../auth/rbac.ts';
import { missingRules, printRule } from '../../auth/rule-cover.ts';
import { forbiddenError, notFoundError } from '../../http/status-error.ts';
import { asJsonValue, isEqualJson } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';

type RoleRef = { readonly kind: string; readonly name: string };
type Role = ApiObject & { readonly rules?: readonly PolicyRule[] | null; readonly aggregationRule?: unknown };

/** Refuses a role with permissions that its writer does not have, unless he may `escalate`. */
export function refuseRoleEscalation(attributes: AdmissionAttributes, view: AdmissionView): void {
  const after: Role | undefined = attributes.object;
  const before: Role | undefined = attributes.old;
  if (after === undefined || mayDo(attributes, view, 'escalate', attributes.resource.plural, after.metadata.name))
    return;
  if (
    after.aggregationRule !== undefined &&
    !isEqualJson(asJsonValue(after.aggregationRule), asJsonValue(before?.aggregationRule))
  ) {
    requireHeld(attributes, view, everything);
  }
  const rules = after.rules ?? [];
  if (before !== undefined && isEqualJson(asJsonValue(rules), asJsonValue(before.rules ?? []))) return;
  requireHeld(attributes, view, rules);
}

/** Refuses a binding to a role with permissions that its writer does not have, unless he may `bind` the role. */
export function refuseBindingEscalation(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { object, old, namespace } = attributes;
  if (object === undefined || isSameBinding(object, old)) return;
  const { kind = '', name = '' } = (object['roleRef'] ?? {}) as Partial<RoleRef>;
  const plural = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (mayDo(attributes, view, 'bind', plural, name)) return;
  const rules = rulesOfReference({ kind, name }, namespace, view.store);
  if (rules === undefined) throw notFoundError({ group: rbacGroup, plural }, name);
  requireHeld(attributes, view, rules);
}

const isSameBinding = (after: ApiObject, before: ApiObject | undefined): boolean =>
  before !== undefined &&
  isEqualJson(asJsonValue(after['subjects']), asJsonValue(before['subjects'])) &&
  isEqualJson(asJsonValue(after['roleRef']), asJsonValue(before['roleRef']));

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function mayDo(
  { user, namespace }: AdmissionAttributes,
  { store }: AdmissionView,
  verb: string,
  plural: string,
  name: string,
): boolean {
  return isAccessAllowed(
    user,
    { verb, resource: { group: rbacGroup, plural, namespace, name, subresource: '' } },
    store,
  );
}

function requireHeld(attributes: AdmissionAttributes, { store }: AdmissionView, rules: readonly PolicyRule[]): void {
  const { resource, name, user, namespace } = attributes;
  const missing = missingRules(rulesFor(user, namespace, store), rules);
  if (missing.length === 0) return;
  const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
  const shown = [...new Set(missing.map(printRule))].toSorted().join('\n');
  const because = `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${shown}`;
  throw forbiddenError(resource, name, because);
}

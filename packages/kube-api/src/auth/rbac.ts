import type { ApiObject } from '../storage/api-object.ts';
import type { ApiObjectStore } from '../storage/store.ts';
import type { RoleGrant, User } from './user.ts';
import type { Access } from './access.ts';

/** What authorization reads. */
export type ReadableStore = Pick<ApiObjectStore, 'collection'>;

export type PolicyRule = {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};
type RbacSubject = { readonly kind: string; readonly name: string; readonly namespace?: string };
type RoleBinding = ApiObject & {
  readonly subjects?: readonly RbacSubject[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
};

export const rbacGroup = 'rbac.authorization.k8s.io';

/** Whether a bound role allows the access. Cluster roles apply everywhere, roles in their namespace. */
export const isGranted = (user: User, access: Access, store: ReadableStore): boolean =>
  rulesFor(user, 'resource' in access ? access.resource.namespace : '', store).some((rule) => ruleAllows(rule, access));

/** The rules of all roles that are bound to the user for the cluster and, with a namespace, for that namespace. */
export function rulesFor(user: User, namespace: string, store: ReadableStore): readonly PolicyRule[] {
  const bindings = (store.collection(`clusterrolebindings.${rbacGroup}`).list() as readonly RoleBinding[]).filter(
    (binding) => binding.subjects?.some((subject) => isSubject(subject, user)) ?? false,
  );
  const local =
    namespace === '' ? [] : (store.collection(`rolebindings.${rbacGroup}`).list(namespace) as readonly RoleBinding[]);
  const bound = local.filter((binding) => binding.subjects?.some((subject) => isSubject(subject, user)) ?? false);
  const given = (user.grants ?? []).filter((grant) => appliesIn(grant, namespace));
  return [
    ...[...bindings, ...bound].flatMap((binding) => rulesOfRole(binding, store)),
    ...given.flatMap(({ clusterRole: name }) => rulesOfReference({ kind: 'ClusterRole', name }, '', store) ?? []),
  ];
}

const appliesIn = ({ namespaces }: RoleGrant, namespace: string): boolean =>
  namespaces === undefined || (namespace !== '' && namespaces.some((pattern) => matchesName(pattern, namespace)));

/** Walks over the parts between the asterisks, so that no pattern takes long. */
function matchesName(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  const middle = name.slice(first.length, name.length - last.length);
  return rest.reduce((from, part) => (from < 0 ? from : indexAfter(middle, part, from)), 0) >= 0;
}

function indexAfter(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? -1 : at + part.length;
}

const rulesOfRole = ({ roleRef, metadata }: RoleBinding, store: ReadableStore): readonly PolicyRule[] =>
  rulesOfReference(roleRef ?? { kind: '', name: '' }, metadata.namespace ?? '', store) ?? [];

/** The rules of the role that a binding in the namespace names; undefined when there is no such role. */
export function rulesOfReference(
  { kind, name }: { readonly kind: string; readonly name: string },
  namespace: string,
  store: ReadableStore,
): readonly PolicyRule[] | undefined {
  const isOfCluster = kind === 'ClusterRole';
  const key = { namespace: isOfCluster ? '' : namespace, name };
  const role = store.collection(`${isOfCluster ? 'clusterroles' : 'roles'}.${rbacGroup}`).get(key);
  return role && ((role['rules'] as readonly PolicyRule[] | null | undefined) ?? []);
}

function isSubject({ kind, name, namespace }: RbacSubject, user: User): boolean {
  if (kind === 'Group') return user.groups.includes(name);
  return user.name === (kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${name}` : name);
}

const includesOrWildcard = (values: readonly string[] | undefined, wanted: string): boolean =>
  values?.some((value) => value === wanted || value === '*') ?? false;

export function ruleAllows(rule: PolicyRule, access: Access): boolean {
  if (!includesOrWildcard(rule.verbs, access.verb)) return false;
  if ('path' in access) return rule.nonResourceURLs?.some((url) => matchesUrl(url, access.path)) ?? false;
  const { resource } = access;
  const wanted = resource.subresource === '' ? resource.plural : `${resource.plural}/${resource.subresource}`;
  const names = rule.resourceNames ?? [];
  const named = names.length === 0 || names.includes(resource.name);
  return named && includesOrWildcard(rule.apiGroups, resource.group) && isAbout(rule, resource.subresource, wanted);
}

// `*` includes subresources; `*/scale` is the scale subresource of every resource.
const isAbout = ({ resources }: PolicyRule, subresource: string, wanted: string): boolean =>
  includesOrWildcard(resources, wanted) || (subresource !== '' && (resources?.includes(`*/${subresource}`) ?? false));

const matchesUrl = (url: string, path: string): boolean =>
  url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;

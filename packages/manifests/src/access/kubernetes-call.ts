export type AccessVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** What is done with one resource of the Kubernetes API. */
export type AccessCall = {
  readonly group: string;
  /** With its subresource, `pods/eviction`. */
  readonly resource: string;
  readonly verbs: readonly AccessVerb[];
  /** The only objects that the verbs reach [all]. A `create` reaches none by name. */
  readonly names?: readonly string[];
  /** Who asks for the right [controller]: an admission plugin asks for rights without a call of the controller. */
  readonly askedBy: 'controller' | 'admission';
};

export const callsOn = (
  group: string,
  resource: string,
  verbs: readonly AccessVerb[],
  askedBy: AccessCall['askedBy'] = 'controller',
): AccessCall => ({ group, resource, verbs, askedBy });

/** One rule of a role. */
export type AccessRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
};

/** The rules that allow the calls, and nothing else: resources of one group with the same verbs share a rule. */
export function listAccessRules(calls: readonly AccessCall[]): readonly AccessRule[] {
  const rules = new Map<string, AccessRule>();
  for (const { group, resource, verbs, names } of calls) {
    const key = JSON.stringify([group, verbs, names]);
    const resources = [...(rules.get(key)?.resources ?? []), resource];
    const named = names === undefined ? {} : { resourceNames: names };
    rules.set(key, { apiGroups: [group], resources, ...named, verbs });
  }
  return [...rules.values()];
}

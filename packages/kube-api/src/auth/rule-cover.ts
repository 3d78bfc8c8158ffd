import type { PolicyRule } from './rbac.ts';

/** The part of `wanted` that `held` does not allow, with the verbs of one resource joined. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  const missing = wanted.flatMap(singleRules).filter((rule) => !held.some((own) => coversRule(own, rule)));
  return joinVerbs(missing);
}

/** A rule for each combination of verb, group, resource and name, or of verb and path. */
function singleRules({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb): PolicyRule[] => {
        const rule = { apiGroups: [group], resources: [resource], verbs: [verb] };
        return resourceNames.length === 0 ? [rule] : resourceNames.map((name) => ({ ...rule, resourceNames: [name] }));
      }),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((url) =>
    verbs.map((verb): PolicyRule => ({ nonResourceURLs: [url], verbs: [verb] })),
  );
  return [...ofResources, ...ofPaths];
}

const hasAll = (held: readonly string[] = [], wanted: readonly string[] = []): boolean =>
  held.includes('*') || wanted.every((value) => held.includes(value));

function coversRule(held: PolicyRule, wanted: PolicyRule): boolean {
  if (!hasAll(held.verbs, wanted.verbs)) return false;
  if (wanted.nonResourceURLs !== undefined) {
    return wanted.nonResourceURLs.every((url) => (held.nonResourceURLs ?? []).some((own) => coversUrl(own, url)));
  }
  const names = held.resourceNames ?? [];
  const coversNames = names.length === 0 || (wanted.resourceNames ?? [''])?.every((name) => names.includes(name));
  return coversNames && hasAll(held.apiGroups, wanted.apiGroups) && coversResource(held, wanted.resources?.[0] ?? '');
}

function coversResource({ resources = [] }: PolicyRule, wanted: string): boolean {
  if (resources.includes('*') || resources.includes(wanted)) return true;
  const subresource = wanted.split('/')[1];
  return subresource !== undefined && resources.includes(`*/${subresource}`);
}

const coversUrl = (held: string, wanted: string): boolean =>
  held === '*' || held === wanted || (held.endsWith('*') && wanted.startsWith(held.slice(0, -1)));

function joinVerbs(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...about } = rule;
    const key = JSON.stringify(about);
    joined.set(key, { ...rule, verbs: [...(joined.get(key)?.verbs ?? []), ...verbs] });
  }
  return [...joined.values()];
}

/** A rule as messages show it: `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
export function printRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  const shown = parts
    .filter(([, values]) => values !== undefined && values.length > 0)
    .map(([name, values = []]) => `${name}:[${values.map((value) => JSON.stringify(value)).join(' ')}]`);
  return `{${shown.join(', ')}}`;
}

import type { AdmissionAttributes } from '../attributes.ts';

/** A rule of a webhook or a policy. */
export type AdmissionRule = {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly scope?: string;
};

/** A resource in one of its versions, as rules name it. */
export type MatchedResource = { readonly group: string; readonly version: string; readonly plural: string };

/** Whether a rule is about a write, taken as a write of this version of its resource. */
export function matchesRule(rule: AdmissionRule, attributes: AdmissionAttributes, resource: MatchedResource): boolean {
  const { operations, apiGroups, apiVersions, resources = [], resourceNames = [], scope = '*' } = rule;
  const { operation, subresource, name } = attributes;
  return (
    includes(operations, operation) &&
    includes(apiGroups, resource.group) &&
    includes(apiVersions, resource.version) &&
    resources.some((each) => matchesResource(each, resource.plural, subresource)) &&
    (resourceNames.length === 0 || resourceNames.includes(name)) &&
    (scope === '*' || (scope === 'Namespaced') === isNamespaced(attributes))
  );
}

const includes = (values: readonly string[] | undefined, wanted: string): boolean =>
  values?.some((value) => value === '*' || value === wanted) ?? false;

/** `*` is every resource, `*\/*` every one with its subresources, `pods/*` all of one, `*\/scale` one of all. */
function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const [resource = '', part] = pattern.split('/');
  if (resource !== '*' && resource !== plural) return false;
  if (part === undefined) return subresource === '';
  return part === '*' || part === subresource;
}

/** A namespace belongs to the cluster, although its objects do not. */
const isNamespaced = ({ resource }: AdmissionAttributes): boolean => resource.namespaced;

import type { PolicySpec } from '../admission/policies/policy-objects.ts';
import { policyCollection } from '../admission/policies/policy-objects.ts';
import type { ServedResources } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import { groupVersion } from '../resources/served-kind.ts';
import { typeProblems } from '../schema/cel/check-types.ts';
import type { ApiObjectStore } from '../storage/store.ts';

/**
 * Keeps the status of admission policies: which generation is in force, and which of its expressions do not fit the kinds that
 * its rules name.
 */
export function keepPolicyStatus(store: ApiObjectStore, registry: ServedResources): void {
  store.collection(policyCollection).subscribe(({ type, object }) => {
    const { generation: observedGeneration } = object.metadata;
    const status = object['status'] as { readonly observedGeneration?: number } | undefined;
    if (type === 'DELETED' || status?.observedGeneration === observedGeneration) return;
    const expressionWarnings = warningsOf(object['spec'] ?? {}, registry);
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    store.put(policyCollection, { ...object, status: { ...status, observedGeneration, typeChecking } });
  });
}

type ExpressionWarning = { readonly fieldRef: string; readonly warning: string };

function warningsOf(spec: PolicySpec, registry: ServedResources): readonly ExpressionWarning[] {
  const kinds = namedResources(spec, registry);
  return (spec.validations ?? []).flatMap(({ expression, messageExpression }, index) =>
    Object.entries({ expression, messageExpression }).flatMap(([member, text]) => {
      const warning = text === undefined ? '' : kinds.flatMap((kind) => warningFor(kind, text)).join('\n');
      return warning === '' ? [] : [{ fieldRef: `spec.validations[${index}].${member}`, warning }];
    }),
  );
}

function warningFor(resource: Resource, expression: string): readonly string[] {
  const problems = typeProblems(expression, ['object', 'oldObject'], resource.schema ?? {});
  const name = `${groupVersion(resource)}, Kind=${resource.kind}`;
  return problems.length === 0 ? [] : [`${name}: ${problems.join('\n')}\n`];
}

/** More kinds are not looked at. */
const mostKinds = 10;

/** The kinds that the rules name. A rule with a wildcard names none. */
function namedResources({ matchConstraints }: PolicySpec, registry: ServedResources): readonly Resource[] {
  const found = (matchConstraints?.resourceRules ?? []).flatMap(
    ({ apiGroups = [], apiVersions = [], resources = [] }) =>
      [...apiGroups, ...apiVersions, ...resources].some((each) => each.includes('*'))
        ? []
        : apiGroups.flatMap((group) =>
            apiVersions.flatMap((version) =>
              resources.flatMap((plural) => registry.find({ group, version, plural }) ?? []),
            ),
          ),
  );
  return [...new Set(found)].filter(({ schema }) => schema !== undefined).slice(0, mostKinds);
}

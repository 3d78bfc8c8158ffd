import { convertedDefinitionNames } from '@nodewright/apis';
import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { conversionServiceOf } from '../objects/conversion-webhook.ts';
import type { InstallObject } from '../objects/install-object.ts';
import { listNamespaceAccess, listWideAccess } from './access-objects.ts';
import { type AccessCall, callsOn } from './kubernetes-call.ts';
import { createAndKeep } from './namespace-roles.ts';

/** The webhook tells API servers whom to trust: it writes its authorities into the definitions. */
const definitionCalls: readonly AccessCall[] = [
  {
    ...callsOn('apiextensions.k8s.io', 'customresourcedefinitions', ['get', 'patch']),
    names: convertedDefinitionNames,
  },
];

/** Every call of the webhook: those in the whole cluster, and those in the namespace of its Secret. */
export const listConversionCalls = (values: InstallValues, catalogue: SettingCatalogue) => ({
  wide: definitionCalls,
  namespaced: createAndKeep('', 'secrets', conversionServiceOf(values, catalogue).name),
});

/** The roles of the conversion webhook with their bindings. */
export function listConversionAccess(values: InstallValues, catalogue: SettingCatalogue): readonly InstallObject[] {
  const name = `${values.name}-conversion`;
  const { wide, namespaced } = listConversionCalls(values, catalogue);
  return [
    ...listWideAccess(values, name, wide),
    ...listNamespaceAccess(values, { name, namespace: values.namespace, calls: namespaced }),
  ];
}

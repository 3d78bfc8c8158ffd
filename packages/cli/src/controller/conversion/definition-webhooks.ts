import type { ConversionService, DefinitionObject } from '@nodewright/apis';

export type DefinitionStep =
  | { readonly kind: 'trust'; readonly patch: object }
  | { readonly kind: 'complain'; readonly problem: string }
  | { readonly kind: 'leave' };

/**
 * What a definition needs so that API servers trust the webhook. A definition that names no webhook, or another one, is
 * left as it is: who applies `nodewright crds --conversion-webhook` decides that.
 * @param bundle PEM of every authority to trust
 */
export function planDefinition(
  name: string,
  definition: DefinitionObject | undefined,
  { service, bundle }: { readonly service: ConversionService; readonly bundle: string },
): DefinitionStep {
  if (definition === undefined) return { kind: 'complain', problem: `there is no definition ${name}` };
  const { strategy, webhook } = definition.spec?.conversion ?? {};
  const clientConfig = webhook?.clientConfig;
  const named = clientConfig?.service;
  if (strategy !== 'Webhook' || named?.name !== service.name || named.namespace !== service.namespace) {
    const other = strategy === 'Webhook' ? `${named?.namespace}/${named?.name}` : 'no webhook';
    const remedy = `nodewright crds --conversion-webhook ${service.namespace}/${service.name}`;
    return { kind: 'complain', problem: `the definition ${name} names ${other}; apply the definitions of: ${remedy}` };
  }
  const caBundle = Buffer.from(bundle, 'utf8').toString('base64');
  if (clientConfig?.caBundle === caBundle) return { kind: 'leave' };
  const { resourceVersion } = definition.metadata;
  return {
    kind: 'trust',
    patch: { metadata: { resourceVersion }, spec: { conversion: { webhook: { clientConfig: { caBundle } } } } },
  };
}

import type { LabelSelector } from '@nodewright/apis';
import type { WebhookClientConfig } from '../../resources/webhook-client.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionView } from '../attributes.ts';
import type { NamedExpression } from '../matching/expressions.ts';
import type { AdmissionRule } from '../matching/rules.ts';

/** One webhook of a configuration. */
export type Webhook = {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly AdmissionRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchConditions?: readonly NamedExpression[];
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: string;
  readonly admissionReviewVersions?: readonly string[];
};

type Configuration = ApiObject & { readonly webhooks?: readonly Webhook[] };

/** A webhook and the configuration that it is part of. */
export type ConfiguredWebhook = { readonly configuration: string; readonly webhook: Webhook };

const registration = 'admissionregistration.k8s.io';
const collections = {
  mutating: `mutatingwebhookconfigurations.${registration}`,
  validating: `validatingwebhookconfigurations.${registration}`,
} as const;

/** The webhooks of a kind, in the order in which they are called. */
export const listWebhooks = (
  kind: keyof typeof collections,
  { store }: Pick<AdmissionView, 'store'>,
): readonly ConfiguredWebhook[] =>
  (store.collection(collections[kind]).list() as readonly Configuration[]).flatMap(({ metadata, webhooks = [] }) =>
    webhooks.map((webhook) => ({ configuration: metadata.name, webhook })),
  );

export const hasWebhooks = (view: Pick<AdmissionView, 'store'>): boolean =>
  listWebhooks('mutating', view).length + listWebhooks('validating', view).length > 0;

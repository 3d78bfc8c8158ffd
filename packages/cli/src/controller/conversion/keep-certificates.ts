import {
  type ConversionService,
  convertedDefinitionNames,
  definitionObjects,
  minutes,
  type Secret,
  secrets,
} from '@nodewright/apis';
import type { KeyPair } from '@nodewright/kube-api';
import {
  type CallGate,
  type Clock,
  type KubernetesClient,
  type Logger,
  type Loop,
  requeueAfter,
  startLoop,
} from '@nodewright/runtime';
import { type CertificateAges, planCertificates } from './certificate-plan.ts';
import { printAuthorities, readCertificateSecret, writeCertificateSecret } from './certificate-secret.ts';
import { planDefinition } from './definition-webhooks.ts';
import { makeCertificates, readCertificateAges, type WebhookCertificates } from './webhook-certificates.ts';

export type CertificateKeeping = {
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly gate: Pick<CallGate, 'outside'>;
  readonly log: Logger;
  /** The Service that API servers reach the webhook by. The Secret has its name. */
  readonly service: ConversionService;
  /** Called with the certificate to serve, and again when another one is to be served. */
  readonly serve: (serving: KeyPair) => void;
};

/** Every replica looks this often: one that did not write the Secret serves what another one wrote. */
const checkCertificatesEveryMs = minutes(1);

/**
 * Keeps certificates for the webhook in a Secret, renews them before they end, and writes their authorities into the
 * definitions.
 *
 * Guarantees: an authority is in the definitions for a day before a certificate of it is served, unless there is no
 * other one that counts. Every replica may do this at the same time: the API server lets one of two writes pass.
 */
export const keepCertificates = ({ clock, log, ...options }: CertificateKeeping): Loop =>
  startLoop({
    name: 'conversion.certificates',
    clock,
    log,
    backoff: { baseMs: 1_000, maxMs: checkCertificatesEveryMs },
    run: async (_signal, runLog) => {
      await renewCertificates({ ...options, clock, log: runLog });
      return requeueAfter(checkCertificatesEveryMs);
    },
  });

/** One look: the Secret, the certificates in it, the definitions. */
export async function renewCertificates(options: CertificateKeeping): Promise<void> {
  const certificates = await keepSecret(options);
  options.serve(certificates.serving);
  await trustCertificates(options, printAuthorities(certificates));
}

async function keepSecret(options: CertificateKeeping): Promise<WebhookCertificates> {
  const { client, clock, gate, log, service } = options;
  const secret = await client.get(secrets, service);
  const found = readFoundCertificates(secret, log);
  const hosts = listHosts(service);
  const now = clock.now();
  const plan = planCertificates(found?.ages, hosts, now);
  if (found !== undefined && plan === 'keep') return found.certificates;
  const made = await gate.outside(() => makeCertificates(plan, found?.certificates, { hosts, now }));
  return writeSecret(options, secret, made);
}

type FoundCertificates = { readonly certificates: WebhookCertificates; readonly ages: CertificateAges };

/** `undefined` where there are none that can be read. */
function readFoundCertificates(secret: Secret | undefined, log: Logger): FoundCertificates | undefined {
  const certificates = secret && readCertificateSecret(secret);
  if (secret === undefined || certificates === undefined) return undefined;
  try {
    return { certificates, ages: readCertificateAges(certificates) };
  } catch (error) {
    log.warn('the certificates of the conversion webhook cannot be read, new ones take their place', {
      secret: secret.metadata.name,
      error,
    });
    return undefined;
  }
}

/** Names that API servers may ask for; they use the first. */
const listHosts = ({ name, namespace }: ConversionService): readonly string[] => [
  `${name}.${namespace}.svc`,
  `${name}.${namespace}.svc.cluster.local`,
];

async function writeSecret(
  { client, service, log }: CertificateKeeping,
  before: Secret | undefined,
  made: WebhookCertificates,
): Promise<WebhookCertificates> {
  const metadata = before?.metadata ?? { name: service.name, namespace: service.namespace };
  const secret = { ...before, ...writeCertificateSecret(made, metadata) };
  await (before === undefined ? client.create(secrets, secret) : client.update(secrets, secret));
  log.info('wrote certificates of the conversion webhook', { secret: service.name, namespace: service.namespace });
  return made;
}

async function trustCertificates({ client, log, service }: CertificateKeeping, bundle: string): Promise<void> {
  for (const name of convertedDefinitionNames) {
    const definition = await client.get(definitionObjects, { name });
    const step = planDefinition(name, definition, { service, bundle });
    if (step.kind === 'complain') log.warn('the conversion webhook is not called', { problem: step.problem });
    if (step.kind === 'trust') {
      await client.patch(definitionObjects, { name }, { type: 'merge', patch: step.patch });
      log.info('wrote the authorities of the conversion webhook', { definition: name });
    }
  }
}

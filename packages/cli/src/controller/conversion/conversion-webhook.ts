import { realTime } from '@nodewright/runtime';
import type { KubernetesClient, Logger } from '@nodewright/runtime';
import { InputError } from '../../terminal/exit-status.ts';
import { keepCertificates } from './keep-certificates.ts';
import { serveConversion } from './serve-conversion.ts';

export type ConversionWebhookOptions = {
  readonly port: number;
  readonly service: { readonly name: string; readonly namespace: string };
  readonly client: KubernetesClient;
  readonly log: Logger;
};

/**
 * Serves the conversion webhook and keeps its certificates. It follows real time even where the cluster's does not,
 * because those who check certificates do.
 */
export async function startConversionWebhook({ port, ...options }: ConversionWebhookOptions) {
  const server = await serveConversion(port).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EADDRINUSE') throw failure;
    throw new InputError(`--conversion-webhook-port: port ${port} is already taken`, { cause: failure });
  });
  const certificates = keepCertificates({ ...options, ...realTime(), serve: (serving) => server.use(serving) });
  return {
    port: server.port,
    stop: async () => void (await Promise.all([certificates.stop(), server.close()])),
  };
}

import { type Metrics, serveTexts, type TextRoutes, type TextServer } from '@nodewright/runtime';
import { InputError } from '../terminal/exit-status.ts';

export type Observed = {
  readonly metrics: Metrics;
  /** Resolves when the process can work; an error tells why it cannot. */
  readonly ready: () => Promise<void>;
};

/** `/metrics`, `/healthz` and `/readyz`, on one port or two. Port 0 is any free one. */
export async function serveObservability(
  { metrics, ready }: Observed,
  ports: { readonly metricsPort: number; readonly healthProbePort: number },
): Promise<{ readonly metricsPort: number; readonly healthProbePort: number; close(): Promise<void> }> {
  const metricsRoutes = metricsRoutesOf(metrics);
  const probeRoutes = probeRoutesOf(ready);
  const { metricsPort, healthProbePort } = ports;
  const isOne = metricsPort === healthProbePort && metricsPort !== 0;
  const first = await openServer(isOne ? { ...metricsRoutes, ...probeRoutes } : metricsRoutes, metricsPort);
  const second = isOne ? first : await openServer(probeRoutes, healthProbePort, first);
  return {
    metricsPort: first.port,
    healthProbePort: second.port,
    close: async () => void (await Promise.all([...new Set([first, second])].map((server) => server.close()))),
  };
}

export const metricsRoutesOf = (metrics: Metrics): TextRoutes => ({
  '/metrics': async () => ({ status: 200, text: await metrics.text(), contentType: metrics.contentType }),
});

export const probeRoutesOf = (ready: Observed['ready']): TextRoutes => ({
  '/healthz': () => okAnswer,
  '/readyz': async () => {
    await ready();
    return okAnswer;
  },
});

const okAnswer = { status: 200, text: 'ok' } as const;

async function openServer(routes: TextRoutes, port: number, before?: TextServer): Promise<TextServer> {
  try {
    return await serveTexts(routes, port);
  } catch (failure) {
    await before?.close();
    if ((failure as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw failure;
    const message = `port ${port} is already taken; choose another with --metrics-port or --health-probe-port, or 0 for any free one`;
    throw new InputError(message, { cause: failure });
  }
}

import type { OperatorInspection } from '@nodewright/operator';
import type { ControllerSettings } from '../../controller/setting-table.ts';
import { InputError } from '../../terminal/exit-status.ts';

type ControllerDebugging = {
  readonly settings: Pick<ControllerSettings, 'debugPort' | 'enableProfiling'>;
  /** None without the setting, so that nothing is noted. */
  readonly inspection: OperatorInspection | undefined;
  readonly isLeading: () => boolean;
};

/** The pages of DEBUG_PORT, on the loopback address; `undefined` without that setting. Web pages are refused. */
export async function serveDebugPages({ settings, inspection, isLeading }: ControllerDebugging) {
  const { debugPort: port, enableProfiling: servesHeap } = settings;
  if (port === 0 || inspection === undefined) return undefined;
  const [{ listenOn, refuseForeignRequests }, { createDebugPages }] = await Promise.all([
    import('@nodewright/sandbox'),
    import('../../controller/debug-pages.ts'),
  ]);
  const handler = createDebugPages({ isLeading, inspect: () => inspection.report(), servesHeap });
  return listenOn(refuseForeignRequests(handler), { port, host: '127.0.0.1' }).catch((failure: Error) => {
    throw failure.name === 'PortTakenError'
      ? new InputError(`--debug-port: ${failure.message}`, { cause: failure })
      : failure;
  });
}

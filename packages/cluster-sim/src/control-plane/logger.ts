import { type Logger, silentLogger } from '@nodewright/runtime';
import type { ClusterControllerOptions } from './controller-options.ts';

/** Passes on what went wrong; a control plane has nothing else to say. */
export function loggerOf(log: ClusterControllerOptions['log']): Logger {
  if (log === undefined) return silentLogger;
  const tell: Logger['error'] = (message, fields = {}) => log(message, fields);
  const logger: Logger = { ...silentLogger, warn: tell, error: tell, named: () => logger, with: () => logger };
  return logger;
}

import { type Logger, silentLogger } from '@nodewright/runtime';
import type { ClusterControllerOptions } from './controller-options.ts';

/** Passes on warnings and errors; other lines are dropped. */
export function loggerOf(log: ClusterControllerOptions['log']): Logger {
  if (log === undefined) return silentLogger;
  const tell: Logger['error'] = (message, fields = {}) => log(message, fields);
  const logger: Logger = { ...silentLogger, warn: tell, error: tell, named: () => logger, with: () => logger };
  return logger;
}

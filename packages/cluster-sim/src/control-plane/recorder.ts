import { type EventRecorder, startEventRecorder } from '@nodewright/runtime';
import type { ClusterControllerOptions } from './controller-options.ts';
import { loggerOf } from './logger.ts';

/** Events in the name of one component, `kubelet` or `default-scheduler`. */
export const recorderOf = (
  { client, clock, random, log }: ClusterControllerOptions,
  component: string,
): EventRecorder =>
  startEventRecorder({ client, clock, random: random.fork(`events ${component}`), log: loggerOf(log), component });

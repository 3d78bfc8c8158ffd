import type { Pod, PodStatus } from '@nodewright/apis';

/** The status of the operator's pod as this process plays it. */
export function playedStatus({ spec }: Pod, at: string, refused: string | undefined): PodStatus {
  const isReady = refused === undefined;
  const status = isReady ? 'True' : 'False';
  const condition = (type: string, value: 'True' | 'False') => ({ type, status: value, lastTransitionTime: at });
  const state = isReady
    ? { running: { startedAt: at } }
    : { waiting: { reason: 'CrashLoopBackOff', message: refused } };
  return {
    phase: 'Running',
    startTime: at,
    conditions: [
      condition('PodReadyToStartContainers', 'True'),
      condition('Initialized', 'True'),
      condition('Ready', status),
      condition('ContainersReady', status),
      condition('PodScheduled', 'True'),
    ],
    containerStatuses: spec.containers.map(({ name, image = '' }) => ({
      name,
      image,
      imageID: '',
      ready: isReady,
      started: isReady,
      restartCount: 0,
      state,
      ...(!isReady && {
        lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: at, finishedAt: at } },
      }),
    })),
  };
}

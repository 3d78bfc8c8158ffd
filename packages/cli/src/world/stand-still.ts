import type { ScaledTime, StorageProblem } from '@nodewright/runtime';

/**
 * Stops time while nothing can be kept: what happened meanwhile would be forgotten by a restart. It goes on by itself,
 * unless it had been paused before.
 */
export function standStillOnProblem(
  time: Pick<ScaledTime, 'status' | 'pause' | 'resume'>,
  tell: (message: string) => void,
): (problem: StorageProblem | undefined) => void {
  let isHeld = false;
  return (problem) => {
    if (problem !== undefined) {
      tell(problem.message);
      isHeld ||= !time.status().paused;
      time.pause();
      return;
    }
    tell('changes are kept again');
    if (isHeld) time.resume();
    isHeld = false;
  };
}

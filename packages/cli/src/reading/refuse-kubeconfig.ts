import { InputError } from '../terminal/exit-status.ts';
import { explainFileFailure } from '../terminal/file-failure.ts';

/** What to say of a kubeconfig that leads to no cluster; `file` where a flag named it. */
export const refuseKubeconfig = (failure: unknown, file?: string): InputError =>
  new InputError(`--kubeconfig${file === undefined ? '' : ` ${file}`}: ${explainFileFailure(failure)}`, {
    cause: failure,
  });

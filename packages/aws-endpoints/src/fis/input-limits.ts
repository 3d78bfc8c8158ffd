import { compileConstraints } from '../limits/constraint-checks.ts';
import { describeViolations } from '../limits/violation-words.ts';
import type { ServiceConstraints } from '../service.ts';
import { experimentRefused } from './errors.ts';
import { fisConstraintsJson } from './input-constraints.generated.ts';

/** What the model says of inputs. */
export const fisConstraints: ServiceConstraints = {
  listViolations: compileConstraints(fisConstraintsJson),
  refuse: (violations) => experimentRefused(describeViolations(violations)),
};

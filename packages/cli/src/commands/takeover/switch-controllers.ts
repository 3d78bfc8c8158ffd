import { withCluster } from '../../reading/open-cluster.ts';
import type { CliContext } from '../../terminal/context.ts';
import { NotNowError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import type { TakeoverSwitchFlags } from './flags.ts';
import { handOver, type HandedOver } from './hand-over.ts';
import { judgeTakeover } from './judge-takeover.ts';
import { observeTakeover } from './observe-takeover.ts';
import { listBlocked, answerWithFindings } from './print-takeover.ts';
import type { TakeoverFinding } from './takeover-finding.ts';

export function runTakeover(this: CliContext, flags: TakeoverSwitchFlags): Promise<void> {
  return switchControllers(this, flags, 'toNodewright');
}

export function undoTakeover(this: CliContext, flags: TakeoverSwitchFlags): Promise<void> {
  return switchControllers(this, flags, 'toKarpenter');
}

type SwitchOutcome =
  | { readonly kind: 'blocked'; readonly findings: readonly TakeoverFinding[] }
  | ({ readonly kind: 'handedOver' } & HandedOver);

async function switchControllers(
  context: CliContext,
  flags: TakeoverSwitchFlags,
  direction: 'toNodewright' | 'toKarpenter',
): Promise<void> {
  const tell = (line: string): void => context.process.stderr.write(`${line}\n`);
  const outcome = await withCluster(flags, async ({ client, now, time }): Promise<SwitchOutcome> => {
    const seen = await observeTakeover(client, flags, now);
    const findings = listBlocked(judgeTakeover(seen));
    if (findings.length > 0) return { kind: 'blocked', findings };
    const { karpenter, nodewright } = seen;
    const [from, to] = direction === 'toNodewright' ? [karpenter, nodewright] : [nodewright, karpenter];
    const deps = { client, clock: time.clock, timeoutMs: flags.timeout, tell };
    return { kind: 'handedOver', ...(await handOver(deps, from, to)) };
  });
  if (outcome.kind === 'blocked') {
    writeAnswer(context, flags.output, answerWithFindings(outcome.findings));
    throw new NotNowError(`nothing was changed: ${outcome.findings.length} findings stand against it`);
  }
  const { holder, gone } = outcome;
  const nodes = gone.length === 0 ? 'no NodeClaim went' : `NodeClaims that went meanwhile: ${gone.join(', ')}`;
  const object = { kind: 'TakeoverResult', holder, gone };
  writeAnswer(context, flags.output, { object, text: `${holder} leads; ${nodes}` });
}

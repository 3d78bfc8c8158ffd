import { listKarpenterCrds, ownCrds, printYaml } from '@nodewright/apis';
import type { CliContext } from '../../terminal/context.ts';
import type { CrdsFlags } from './flags.ts';

export async function printCrds(this: CliContext, flags: CrdsFlags): Promise<void> {
  if (flags.upgradeCheck) {
    const { checkDefinitions } = await import('./check-definitions.ts');
    return checkDefinitions.call(this, flags);
  }
  this.process.stdout.write(printYaml(listKarpenterCrds()));
  this.process.stdout.write(`# Nodewright's own kinds: policy that only Nodewright reads.\n${printYaml(ownCrds())}`);
}

import { ownCrds, printYaml } from '@nodewright/apis';
import type { CliContext } from '../../terminal/context.ts';
import type { CrdsFlags } from './flags.ts';
import { listPrintedCrds } from './listed-definitions.ts';

export async function printCrds(this: CliContext, flags: CrdsFlags): Promise<void> {
  if (flags.upgradeCheck) {
    const { checkDefinitions } = await import('./check-definitions.ts');
    return checkDefinitions.call(this, flags);
  }
  this.process.stdout.write(printYaml(listPrintedCrds(flags)));
  this.process.stdout.write(`# Nodewright's own kinds: policy that only Nodewright reads.\n${printYaml(ownCrds())}`);
}

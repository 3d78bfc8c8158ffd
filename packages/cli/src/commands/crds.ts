import { crds, ownCrds, printYaml } from '@nodewright/apis';
import type { Context } from '../context.ts';

export function printCrds(this: Context): void {
  this.process.stdout.write(printYaml(crds()));
  this.process.stdout.write(`# Nodewright's own kinds: policy that only Nodewright reads.\n${printYaml(ownCrds())}`);
}

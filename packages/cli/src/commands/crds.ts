import { crds, printYaml } from '@nodewright/apis';
import type { Context } from '../context.ts';

export function printCrds(this: Context): void {
  this.process.stdout.write(printYaml(crds()));
}

import type { Clock, Ledger, Random } from '@nodewright/runtime';
import type { Ec2 } from '../ec2/model.ts';
import type { Faults } from '../faults/faults.ts';
import { interruptionNoticeMs } from './action-kinds.ts';
import { type Experiment, experimentState } from './experiment.ts';
import type { ExperimentTemplate } from './template.ts';
import type { TimedEffect } from './timeline.ts';

type ExperimentsDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly ec2: Ec2;
  readonly faults: Faults;
};

/** The experiment templates of the account and their runs, with effect on its instances. */
export class Experiments {
  readonly #deps: ExperimentsDeps;
  /** By id, oldest first. */
  readonly templates: Map<string, ExperimentTemplate>;
  readonly #runs: Map<string, Experiment>;

  constructor(deps: ExperimentsDeps) {
    this.#deps = deps;
    this.templates = deps.ledger.map('fis/templates');
    this.#runs = deps.ledger.map('fis/experiments');
  }

  get ec2(): Ec2 {
    return this.#deps.ec2;
  }

  get random(): Random {
    return this.#deps.random;
  }

  now() {
    return this.#deps.clock.now();
  }

  /** Continues the experiments that were running before a restart. */
  resume(): void {
    for (const experiment of this.all()) this.#continueRun(experiment);
  }

  /** Oldest first. */
  all(): readonly Experiment[] {
    return [...this.#runs.values()];
  }

  find(id: string): Experiment | undefined {
    return this.#runs.get(id);
  }

  keep(experiment: Experiment): Experiment {
    this.#runs.set(experiment.id, experiment);
    return experiment;
  }

  /** Starts a run. Effects that are due now take place before this returns. */
  begin(experiment: Experiment): Experiment {
    this.#continueRun(this.keep(experiment));
    return this.#runs.get(experiment.id) ?? experiment;
  }

  /** Ends a run before its time. What it has announced to instances goes on. */
  stop(experiment: Experiment, reason: string): Experiment {
    if (!this.#isOpen(experiment)) return experiment;
    return this.keep({ ...experiment, ended: { as: 'stopped', reason, at: this.now() } });
  }

  #isOpen(experiment: Experiment): boolean {
    return experiment.ended === undefined && experimentState(experiment, this.now()).status !== 'completed';
  }

  /** Performs the effects that are due, and waits for the next one. */
  #continueRun(experiment: Experiment): void {
    const { id, ended, effects, performed } = experiment;
    const next = effects[performed];
    if (ended !== undefined || next === undefined) return;
    if (next.at > this.now()) return this.#wait(id, next);
    if (this.#isAlarmed(experiment)) return void this.stop(experiment, 'Experiment halted by stop condition.');
    const after = this.keep({ ...experiment, performed: performed + 1 });
    for (const instanceId of next.instanceIds) this.#perform(next.kind, instanceId);
    this.#continueRun(after);
  }

  #wait(id: string, next: TimedEffect): void {
    this.#deps.clock.at(next.at, () => {
      const current = this.#runs.get(id);
      if (current !== undefined) this.#continueRun(current);
    });
  }

  /** Whether an alarm of a stop condition is in state ALARM. */
  #isAlarmed({ template }: Experiment): boolean {
    const alarms = this.#deps.faults.find('alarm').map(({ name }) => name);
    return template.stopConditions.some(({ value }) => alarms.includes(value?.split(':alarm:')[1] ?? ''));
  }

  /** An instance that has left the state that the effect needs stays as it is. */
  #perform(kind: TimedEffect['kind'], instanceId: string): void {
    const { ec2, faults } = this.#deps;
    const { instances } = ec2;
    const state = instances.get(instanceId)?.state;
    if (kind === 'terminate' && state !== undefined) return instances.terminate(instanceId);
    if (kind === 'start' && state === 'stopped') return instances.start(instanceId);
    if (state !== 'running') return;
    switch (kind) {
      case 'recommend-rebalance':
        return void faults.add({ kind: 'rebalance-recommendation', instanceId });
      case 'interrupt':
        return void faults.add({ kind: 'spot-interruption', instanceId, noticeMs: interruptionNoticeMs });
      case 'stop':
        return instances.stop(instanceId);
      case 'reboot':
        return instances.reboot(instanceId);
      default:
    }
  }
}

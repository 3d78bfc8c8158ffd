import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { byTextOf, type Instant } from '@nodewright/apis';
import type { Clock, Ledger, Random } from '@nodewright/runtime';
import { arnOf, type AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { autoScalingValidationError } from './errors.ts';

/** A launch configuration: what launch templates were before them. It never changes. */
export type KeptLaunchConfiguration = {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: Instant;
  readonly data: RequestLaunchTemplateData;
  /** With it instances are spot instances. */
  readonly spotPrice?: string;
  readonly assignsPublicAddress?: boolean;
};

type LaunchConfigurationDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  readonly ledger: Ledger;
};

/** As many as an account may have. */
export const mostLaunchConfigurations = 200;

/** The launch configurations of the account, by name. */
export class LaunchConfigurations {
  readonly #deps: LaunchConfigurationDeps;
  readonly #byName: Map<string, KeptLaunchConfiguration>;

  constructor(deps: LaunchConfigurationDeps) {
    this.#deps = deps;
    this.#byName = deps.ledger.map('autoscaling/launch-configurations');
  }

  all(): readonly KeptLaunchConfiguration[] {
    return [...this.#byName.values()].toSorted(byTextOf(({ name }) => name));
  }

  /** @throws AwsError `ValidationError` */
  named(name: string): KeptLaunchConfiguration {
    const found = this.#byName.get(name);
    if (found === undefined)
      throw autoScalingValidationError(
        `Launch configuration name not found - A launch configuration with the name: ${name} does not exist`,
      );
    return found;
  }

  /** @throws AwsError `AlreadyExists`, `LimitExceeded` */
  add(made: Omit<KeptLaunchConfiguration, 'arn' | 'createdAt'>): KeptLaunchConfiguration {
    const { account, clock, random } = this.#deps;
    if (this.#byName.has(made.name))
      throw new AwsError(
        'AlreadyExists',
        `Launch Configuration by this name already exists - A launch configuration already exists with the name ${made.name}`,
      );
    if (this.#byName.size >= mostLaunchConfigurations)
      throw new AwsError('LimitExceeded', `Only ${mostLaunchConfigurations} launch configurations are allowed.`);
    const arn = arnOf(
      account,
      'autoscaling',
      `launchConfiguration:${random.uuid()}:launchConfigurationName/${made.name}`,
    );
    const kept = { ...made, arn, createdAt: clock.now() };
    this.#byName.set(made.name, kept);
    return kept;
  }

  delete(name: string): void {
    this.#byName.delete(name);
  }
}

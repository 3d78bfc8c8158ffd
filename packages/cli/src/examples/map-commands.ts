import type { Command, CommandContext, RouteMap } from '@stricli/core';

type Target<Context extends CommandContext> = Command<Context> | RouteMap<Context>;

/** What a command becomes; `path` has the words that lead to it. */
export type CommandChange<Context extends CommandContext> = (
  command: Command<Context>,
  path: readonly string[],
) => Command<Context>;

const isRouteMap = <Context extends CommandContext>(target: Target<Context>): target is RouteMap<Context> =>
  'getAllEntries' in target;

/** Routes of commands in which every command is changed. */
export function mapCommands<Context extends CommandContext>(
  routes: RouteMap<Context>,
  change: CommandChange<Context>,
  path: readonly string[] = [],
): RouteMap<Context> {
  const entries = routes.getAllEntries().map((entry) => {
    const words = [...path, entry.name['convert-camel-to-kebab']];
    const { target } = entry;
    return {
      ...entry,
      target: isRouteMap(target) ? mapCommands(target, change, words) : change(target, words),
      old: target,
    };
  });
  const changed = <T extends Target<Context>>(old: T): Target<Context> =>
    entries.find((entry) => entry.old === old)?.target ?? old;
  return {
    ...routes,
    getAllEntries: () => entries,
    getRoutingTargetForInput: (input) => {
      const target = routes.getRoutingTargetForInput(input);
      return target && changed(target);
    },
    getDefaultCommand: () => {
      const command = routes.getDefaultCommand();
      const target = command && changed(command);
      return target === undefined || isRouteMap(target) ? command : target;
    },
  };
}

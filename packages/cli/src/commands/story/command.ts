import { buildChoiceParser, buildCommand } from '@stricli/core';
import { positiveNumber, parseWholeNumber } from '../../terminal/parsers.ts';
import type { StoryFlags } from './flags.ts';

export const storyCommand = buildCommand<StoryFlags>({
  docs: { brief: 'Show nodes being rolled to new images, live, on accelerated time' },
  parameters: {
    flags: {
      exit: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'End after the story: 0 if it came true, else 1',
      },
      output: {
        kind: 'parsed',
        parse: buildChoiceParser(['json']),
        optional: true,
        brief: 'json: print one object at the end instead of the live story',
      },
      speed: { kind: 'parsed', parse: positiveNumber, default: '60', brief: 'Simulated seconds per second' },
      story: {
        kind: 'parsed',
        parse: buildChoiceParser(['upgrade', 'rollout']),
        default: 'upgrade',
        brief: 'upgrade: nodes follow a new version; rollout: a bad release is stopped at its first node',
      },
      seed: { kind: 'parsed', parse: parseWholeNumber, default: '1', brief: 'Same seed, same story' },
    },
    aliases: { o: 'output' },
  },
  loader: async () => (await import('./run-story.ts')).runStory,
});

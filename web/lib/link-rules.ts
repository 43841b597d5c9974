import { createContext } from 'react';

/** What a link needs to know about its target. */
export interface LinkRules {
  /** Fetches the page's code ahead of the visit. */
  preload: (address: string) => void;
  /** Whether the page must be entered by a full load. */
  needsOwnDocument: (address: string) => boolean;
}

export const LinkRulesContext = createContext<LinkRules>({
  preload: () => undefined,
  needsOwnDocument: () => false,
});

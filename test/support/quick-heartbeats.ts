/** Loaded before a service that a test starts as a process: its nodes see within seconds that another was killed. */
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";

Object.assign(DEFAULT_ENGINE_SETTINGS, { heartbeatIntervalMs: 500 });

"""Events and jobs that a page shows without markup: labels such as "When", 日時 or "Arbeitsort" near the headline."""

"""How a report is written: as JSON, CSV and XLSX."""

-- take_survey
-- Count the live runs of each line and keep the numbers.
SELECT mainspring.survey_1(:now)
